--- A skeleton: it has no fear and no plan. It strikes whoever struck last at its kind, which is to say the nearest.

return {
  name = "skeleton",
  act = function(me, battle)
    local foes = battle.foes_of(me)
    if #foes == 0 then
      return { kind = "wait" }
    end
    -- The front rank stands first in the list; two skeletons in three go for it.
    local place = if roll.d(3) < 3 then 1 else roll.d(#foes)
    return { kind = "attack", target = foes[place] }
  end,
}
