-- Bubblewrap (Debian: bubblewrap): namespaces of the program's own, without a daemon and without rights.
-- What it keeps from what, and how to check that: docs/security.md.

-- Where /etc/resolv.conf leads to, where something else than that file knows the name servers.
local names = {"/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf",
  "/run/resolvconf/resolv.conf", "/run/NetworkManager/resolv.conf"}

-- What root might change in /proc, though it has no other right here.
local kernel = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi"}

return {
  program = "bwrap",

  command = function(call, argv)
    local words = {"bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
      "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--cap-drop", "ALL"}
    local function add(...)
      for _, word in ipairs {...} do words[#words + 1] = word end
    end

    if not call.network then add("--unshare-net") end
    for _, folder in ipairs(call.system) do add("--ro-bind-try", folder, folder) end
    add("--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run")
    for _, path in ipairs(kernel) do add("--ro-bind-try", path, path) end
    if call.network then
      for _, path in ipairs(names) do add("--ro-bind-try", path, path) end
    end
    for _, mount in ipairs(call.mounts) do
      if mount.from == "" then
        add("--tmpfs", mount.path)
      else
        add(mount.writes and "--bind" or "--ro-bind", mount.from, mount.path)
      end
    end
    for _, mount in ipairs(call.mounts) do
      if mount.from == "" then add("--remount-ro", mount.path) end
    end
    -- A namespace within this one would give it rights over what is mounted.
    add("--disable-userns", "--chdir", call.cwd, "--")
    for _, word in ipairs(argv) do add(word) end
    return {argv = words}
  end,
}
