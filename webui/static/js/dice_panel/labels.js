// SPDX-License-Identifier: MIT
// Place the labels of doubts in the tray picture: on no die, ring or other label, inside the
// picture, and each as near to its ring as possible.

/** The sides of a ring in the order in which they are tried: below it, above it, beside it. */
const SIDES = [[0, 1], [0, -1], [1, 0], [-1, 0], [1, 1], [-1, 1], [1, -1], [-1, -1]];
/** How far away a label may go, in half labels. */
const FARTHEST = 8;
/** If there is no free space, a label covers a die rather than another label. */
const LABEL_COUNTS = 4;

/**
 * Returns the left upper corner of every label.
 *
 * `labels` are `{ x, y, radius, width, height }`: the ring that each belongs to and its own size;
 * `dice` are boxes `{ left, top, right, bottom }`, `picture` is `{ width, height }`, and `gap` is
 * the space between a ring and its label, all in pixels of the picture.
 */
export function placeLabels(labels, dice, picture, gap) {
  const rings = labels.map(({ x, y, radius }) => boxAround(x, y, 2 * radius, 2 * radius));
  const placed = [];
  for (const label of labels) {
    const hidden = (box) => overlapArea(box, [...dice, ...rings]) + LABEL_COUNTS * overlapArea(box, placed);
    placed.push(bestPlace(placesFor(label, picture, gap), hidden));
  }
  return placed;
}

export function boxAround(x, y, width, height) {
  return { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 };
}

/** All positions to try, the nearest first. */
function placesFor({ x, y, radius, width, height }, picture, gap) {
  const away = radius + gap;
  const places = [];
  for (let far = 0; far <= FARTHEST; far += 1) {
    for (const [right, down] of SIDES) {
      const step = [(away + (width * (1 + far)) / 2), (away + (height * (1 + far)) / 2)];
      places.push(moveInside(boxAround(x + right * step[0], y + down * step[1], width, height), picture));
    }
  }
  return places;
}

/** Return the box, moved into the picture if it is partly outside. */
function moveInside({ left, top, right, bottom }, picture) {
  const [width, height] = [right - left, bottom - top];
  const x = Math.max(0, Math.min(left, picture.width - width));
  const y = Math.max(0, Math.min(top, picture.height - height));
  return { left: x, top: y, right: x + width, bottom: y + height };
}

/** The first place where nothing is hidden, else the one that hides least. */
export function bestPlace(places, hidden) {
  let [best, least] = [places[0], Infinity];
  for (const place of places) {
    const area = hidden(place);
    if (area === 0) return place;
    if (area < least) [best, least] = [place, area];
  }
  return best;
}

/** Return how many square pixels of these boxes are under this one. */
function overlapArea(box, others) {
  return others.reduce((sum, other) => {
    const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
    const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
    return wide > 0 && high > 0 ? sum + wide * high : sum;
  }, 0);
}
