--- A grave robber: brave while the odds are good. He picks on the weakest who stands, and gives up when he is alone.

return {
  name = "grave robber",
  act = function(me, battle)
    local friends, foes = battle.friends_of(me), battle.foes_of(me)
    if #foes == 0 then
      return { kind = "wait" }
    end
    if #friends == 1 and #foes > 1 then
      return { kind = if roll.d(2) == 1 then "flee" else "surrender" }
    end
    local weakest = foes[1]
    for _, foe in foes do
      if foe.hp < weakest.hp then
        weakest = foe
      end
    end
    return { kind = "attack", target = weakest }
  end,
}
