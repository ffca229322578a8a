# Completion of agneto's command line for fish: put it into ~/.config/fish/completions.

function __agneto_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] __complete -- $words[2..] 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $line
        end
    end
end

complete -c agneto -f -k -a '(__agneto_complete)'
