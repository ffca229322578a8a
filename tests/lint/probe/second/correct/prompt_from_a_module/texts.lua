return {
  short = "Write one paragraph on {{inputs.task}}.",
  long = "Write a page on {{inputs.task}}, with examples.\nThis is try {{attempt}}.",
}
