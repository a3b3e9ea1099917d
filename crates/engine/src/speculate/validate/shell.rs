//! Commands of shells and files of make, which need no definition in the repository.

use foreword_chunk::Language;

/// Functions of zsh's completion system and of bash-completion that scripts call.
const COMPLETION: &str = "__git_complete __git_ps1 __gitcomp __gitcomp_nl __load_completion __ltrim_colon_completions \
    _all_labels _alternative _approximate _arguments _arrays _cache_invalid _call_function _call_program _canonical_paths \
    _combination _command_names _command_offset _comp_options _complete _completion_loader _correct _count_args _default \
    _describe _directories _dirs _dispatch _expand _filedir _files _functions _gnu_generic _groups _guard \
    _get_comp_words_by_ref _history _hosts _init_completion _jobs _known_hosts_real _list_files _match _menu _message \
    _multi_parts _next_label _normal _numbers _options _parameters _parse_help _parse_usage _path_files _pick_variant _pids \
    _ports _process_names _regex_arguments _regex_words _requested _retrieve_cache _sep_parts _sequence _services _setup \
    _signals _store_cache _sub_commands _tags _upvars _urls _user_at_host _users _values _variables _wanted";

/// Whether a name is one of the environment that code runs in: a program that a shell calls, or a file that make needs.
pub(super) fn is_of_environment(language: Language, name: &str) -> bool {
    match language {
        Language::Bash => is_command(name),
        Language::Make => name.contains(['.', '/']),
        _ => false,
    }
}

/// Whether a command can be a program or a builtin, which any machine may have: `jq`, `apt-get`, `zstyle`. Those have no
/// capital letters and no underscores; names of functions mostly do, other than what completion systems bring.
fn is_command(name: &str) -> bool {
    let is_part = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "-+.".contains(it);
    let is_program =
        name.starts_with(|it: char| it.is_ascii_lowercase()) && name.chars().all(is_part);
    is_program || COMPLETION.split_ascii_whitespace().any(|it| it == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_files_are_of_the_environment_and_functions_are_not() {
        for name in ["jq", "apt-get", "g++", "zstyle", "python3.11", "_arguments"] {
            assert!(is_command(name), "{name}");
        }
        assert!(is_of_environment(Language::Make, "../lib/strings.c"));
        assert!(!is_of_environment(Language::Make, "install"));
        assert!(!is_of_environment(Language::Python, "jq"));
        for name in ["read_header", "readHeader", "_read", "-n", "READ", "./run", ""] {
            assert!(!is_command(name), "{name}");
        }
    }
}
