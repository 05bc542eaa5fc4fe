--- Quick hands: the last round of binding a wound costs no more blood.
---
--- What tables argue about: care takes one to three rounds and the victim bleeds meanwhile. Whether the round in which
--- the bandage holds still costs a point decides who can be saved at all: by the book nobody at -10, with this rule one
--- in three of them; `rules.dying.outlook` tells the chances. Run or require this file to play with it.

house.set("dying.stabilize.stabilize_order", "stabilize_first")

return "quick hands: the last round of care costs no blood"
