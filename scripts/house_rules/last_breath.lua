--- Last breath: no single blow takes somebody from their feet past -10; they lie there bleeding instead.
---
--- What tables argue about: bleeding below -10 kills, and so, by the usual reading, does one great blow. Then a giant
--- leaves nobody to save, and all the rules about bandages are for small cuts. Here there is always one round to try.
--- Run or require this file to play with it.

house.set("dying.damage.overkill", "bleeding")

return "last breath: one great blow leaves its victim bleeding at -10"
