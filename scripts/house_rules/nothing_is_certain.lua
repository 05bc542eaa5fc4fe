--- Nothing is certain: however good somebody is at it, one die is always rolled.
---
--- What tables argue about: being Very Good At an easy task leaves no dice, and no dice means success. Players who spent
--- two slots on it say that is what they paid for; others say that a rope can always fray. With one die left a target
--- above 6 succeeds without a roll all the same. Run or require this file to play with it.

house.set("check.roll.min_dice", 1)
house.set("check.dice.min_dice", 1)

return "nothing is certain: training leaves at least one die"
