// SPDX-License-Identifier: MIT
// Values and pictures that are loaded later, each for a key. From the moment the key changes nothing of the old one is
// shown, and an answer that comes late for it is dropped: so no page shows values of another game, roll or player.

/**
 * Return what loads the value of a key and shows it.
 *
 * `load(key, isWanted)` returns the value, null for none; it may try again while `isWanted()`. `show(value)` shows it,
 * `clear()` removes what is shown.
 */
export function mountLoaded({ load, show, clear = () => {} }) {
  let wanted = null, asked = 0, newest = Promise.resolve(false);
  const again = () => {
    const number = ++asked;
    newest = load(wanted, () => number === asked).then((value) => {
      if (number !== asked) return newest;
      if (value !== null) show(value);
      return value !== null;
    });
    return newest;
  };
  return {
    get key() {
      return wanted;
    },
    /** Show the value of this key from now on, null for nothing. */
    want(key) {
      if (key === wanted) return;
      wanted = key;
      asked += 1;
      newest = Promise.resolve(false);
      clear();
      if (key !== null) again();
    },
    /** Load the newest value of the same key; what is shown stays until then. Resolves to whether there is one. */
    again,
  };
}

/** Return the JSON at an address; null if there is none now. */
export async function readJson(address) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

export function wait(ms) {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

/**
 * Show the picture at an address, null for none. A browser keeps the old picture until the new one is there, so the
 * image is hidden meanwhile. Resolves to whether the picture came; never, if another one was wanted before.
 */
export function showImage(image, address) {
  image.toggleAttribute("data-waits", true);
  image.onload = image.onerror = null;
  if (address === null) {
    image.removeAttribute("src");
    return Promise.resolve(false);
  }
  return new Promise((resolve) => {
    const settle = ({ type }) => {
      // The event may still be that of the picture before.
      if (!image.complete) return;
      image.toggleAttribute("data-waits", type !== "load");
      resolve(type === "load");
    };
    image.onload = image.onerror = settle;
    image.src = address;
  });
}

/**
 * Do the same with a picture that may come later only: `address` lacks the number of the try. Resolves to true once it is
 * there; to null if it never is, or is no longer wanted.
 */
export async function awaitImage(image, address, { tries, againMs, isWanted }) {
  for (let left = tries; left > 0 && isWanted(); left -= 1) {
    if (await showImage(image, `${address}${left}`)) return true;
    await wait(againMs);
  }
  return null;
}
