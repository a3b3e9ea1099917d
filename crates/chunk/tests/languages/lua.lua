local json = require("json")
--           ^ import json as json
-- ~ call require
local util = require 'lib.util'
--           ^ import lib.util as util
-- ~ call require
require "side.effect"
-- <- import side.effect
-- ~ call require

local M = {}
--    ^ definition.constant
LIMIT = 10
-- <- definition.constant
M.kind = "shape"
--^ definition.field of M

--- A shape.
-- Two lines.
function M.new(size)
--         ^ definition.function of M (doc, body)
  local self = setmetatable({}, M)
  -- ~ call setmetatable
  self.size = size
  return self
end

function M:draw(canvas)
--         ^ definition.method of M (body)
  canvas:paint(self.size)
  -- ~ call paint
  helper(function() local inner = 1 end)
  -- ~ call helper
end

local function helper(x)
--             ^ definition.function (body)
  return x
end

M.run = function(x) return helper(x) end
--^ definition.function of M (body)
-- ~ call helper

local handlers = {
--    ^ definition.constant
  open = function() end,
  -- <- definition.method in handlers
  close = 1,
}

function M.sub:find(x) end
--             ^ definition.method of M.sub
M.sub.count = function() end
--    ^ definition.field of M.sub

return M
