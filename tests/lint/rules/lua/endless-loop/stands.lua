return {
  prompt = function(m) return "List dead links, each as FOUND." end,
  parse = function(reply)
    local count, at = 0, 1
    while reply:find("FOUND", at, true) do
      count = count + 1
    end
    return "COUNTED", {count = count}
  end,
}
