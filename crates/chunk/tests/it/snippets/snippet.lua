local a = require("a")

--- F.
local function f(x, ...)
  if x then return { k = x, 1 } end
  for i = 1, 3 do print(i) end
end

function M.g(self) return self end
function M:h() end
return M
