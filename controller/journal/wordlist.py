# SPDX-License-Identifier: MIT
"""
The words of a checkpoint: 256 of them, one for each byte.

They are easy to say across a table and to write on a score sheet. No word is the beginning of
another, and no two differ by one letter.
"""

from __future__ import annotations

WORDS: tuple[str, ...] = tuple(
    """
acrobat album almond anchor angel apple arrow atlas autumn bacon badge bagpipe bamboo banjo
barrel basket beaver bench biscuit bishop blanket bottle bridge broom bucket buffalo button
cabin cactus camel candle canyon carpet cavern cedar cello chalk cherry chimney circus
clover coffee comet compass copper coral cotton coyote crayon crystal cupboard curtain daisy
dancer dentist desert diamond doctor dolphin donkey dragon dumpling eagle elbow eleven
emerald engine envelope evening fabric falcon farmer feather flamingo flute forest fossil
fountain fox galaxy garden garlic gecko giant ginger giraffe glacier goblin gorilla grape
guitar hammer hammock harbour harvest hedgehog helmet horizon hotel hundred husky icicle
igloo indigo insect island ivory jaguar jelly jigsaw jungle kangaroo kayak kettle kitchen
kitten kiwi knuckle ladder lagoon lantern lavender lemon leopard lettuce lizard lobster
lollipop lunch lyric magnet mango maple marble meadow mermaid mirror molehill mosquito
muffin mushroom mustard napkin nickel ninety noodle nugget nutmeg oasis oboe ocean octopus
olive omelette onion opera orange orchid otter owl oyster pancake panda paper parrot pebble
pelican pencil penguin piano pigeon pillow pirate planet plum polka poppy pretzel prince
puddle pumpkin puzzle pyramid quartz queen quilt rabbit radish rainbow raven rhubarb ribbon
rocket rooster ruby sailor salad school scissors shark shepherd silver skeleton sleigh snail
sofa soldier spider spoon squirrel statue sugar swallow sweater syrup teapot temple tennis
thimble thunder tiger toast tomato tractor trombone trumpet tulip tunnel turtle tuxedo
twelve twig umbrella unicorn valley vampire vanilla velvet violin volcano vulture waffle
walrus wardrobe waterfall weasel whale whisker window winter wolf wooden yacht yogurt zebra
zigzag
""".split()
)
"""Ordered by the byte they stand for. Changing the list changes the format."""
