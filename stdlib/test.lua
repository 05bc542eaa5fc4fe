--- Tests of scripts: what they describe, what it does, what is expected.
---
---     local test = require "@std/test"
---     test.describe("the lock", function()
---       test.it("opens with the right key", function()
---         test.expect(lock.open("iron")).to_be(true)
---       end)
---     end)
---     test.finish()      -- says how it went; an error when something failed

local test = {}

local names = {}
local passed = 0
local failures = {}

--- A group of tests; groups nest.
function test.describe(name, body)
  table.insert(names, name)
  local ok, problem = pcall(body)
  if not ok then
    table.insert(failures, `{table.concat(names, " ")}: {problem}`)
  end
  table.remove(names)
end

--- One test: it passes when its function ends without an error.
function test.it(name, body)
  table.insert(names, name)
  local ok, problem = pcall(body)
  if ok then
    passed += 1
  else
    table.insert(failures, `{table.concat(names, " ")}: {problem}`)
  end
  table.remove(names)
end

local function quoted(value)
  if type(value) == "string" then
    return string.format("%q", value)
  end
  return tostring(value)
end

-- Where two pieces of data differ, as a path and the two values; nothing when they are alike.
local function difference(found, wanted, path, depth)
  if found == wanted then
    return nil
  end
  if type(found) ~= "table" or type(wanted) ~= "table" or depth > 60 then
    return `{path} is {quoted(found)}, expected {quoted(wanted)}`
  end
  for key, value in wanted do
    local differs = difference(found[key], value, `{path}.{tostring(key)}`, depth + 1)
    if differs then
      return differs
    end
  end
  for key, value in found do
    if wanted[key] == nil then
      return `{path}.{tostring(key)} is {quoted(value)}, expected nil`
    end
  end
  return nil
end

--- What is expected of a value: `to_be` (the same), `to_equal` (alike, field by field), `to_hold` (at least these
--- fields), `to_fail` (a function that raises an error, whose text holds the one given).
function test.expect(found)
  local expectation = {}
  function expectation.to_be(wanted)
    if found ~= wanted then
      error(`got {quoted(found)}, expected {quoted(wanted)}`, 2)
    end
  end
  function expectation.to_equal(wanted)
    local differs = difference(found, wanted, "it", 0)
    if differs then
      error(differs, 2)
    end
  end
  function expectation.to_hold(wanted)
    if type(found) ~= "table" then
      error(`got {quoted(found)}, expected a table`, 2)
    end
    for key, value in wanted do
      local differs = difference(found[key], value, `it.{tostring(key)}`, 0)
      if differs then
        error(differs, 2)
      end
    end
  end
  function expectation.to_fail(part)
    local ok, problem = pcall(found)
    if ok then
      error("it did not fail", 2)
    end
    if part ~= nil and not string.find(tostring(problem), part, 1, true) then
      error(`it failed with {quoted(problem)}, expected {quoted(part)}`, 2)
    end
  end
  return expectation
end

--- Says how it went, and begins anew. An error when a test failed.
function test.finish()
  local went = { passed = passed, failed = #failures }
  local told = table.concat(failures, "; ")
  passed = 0
  failures = {}
  if went.failed > 0 then
    error(`{went.failed} of {went.passed + went.failed} tests failed: {told}`, 2)
  end
  say(`{went.passed} tests passed`)
  return went
end

return test
