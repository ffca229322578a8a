return {
  id = "TEAM-1",
  summary = "a program that may take more than an hour",
  check = function(workflow, report)
    for _, state in ipairs(workflow.states) do
      if state.activity.kind == "run" and state.activity.timeout > 3600000 then
        report(state, "'" .. state.name .. "' may take more than an hour")
      end
    end
  end,
}
