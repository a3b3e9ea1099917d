//! Compares model names by words: `Qwen/Qwen2.5-Coder-7B` contains those of `qwen2.5-coder` consecutively.

/// A model name as lower-case words of letters and words of digits.
pub(super) struct Name(Vec<String>);

impl Name {
    pub(super) fn new(name: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut last = None;
        for c in name.chars() {
            let kind = c.is_alphanumeric().then(|| c.is_numeric());
            match words.last_mut() {
                Some(word) if kind.is_some() && kind == last => word.extend(c.to_lowercase()),
                _ if kind.is_some() => words.push(c.to_lowercase().collect()),
                _ => {}
            }
            last = kind;
        }
        Self(words)
    }

    /// Whether the groups of the pattern, separated by `*`, occur in order.
    pub(super) fn matches(&self, pattern: &str) -> bool {
        let mut rest = self.0.as_slice();
        pattern.split('*').map(Name::new).all(|Name(group)| {
            let found = rest.windows(group.len().max(1)).position(|it| it == group);
            rest = found.map_or(rest, |at| &rest[at + group.len()..]);
            found.is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::compose::Format;

    #[track_caller]
    fn check(model: &str, format: Option<&str>) {
        assert_eq!(Format::of_model(model).map(|it| it.name), format, "{model}");
    }

    #[test]
    fn names_as_hubs_and_servers_write_them_are_known() {
        check("Qwen/Qwen2.5-Coder-7B", Some("qwen2.5-coder"));
        check("qwen2.5-coder:1.5b-base-q8_0", Some("qwen2.5-coder"));
        check("qwen2_5_coder", Some("qwen2.5-coder"));
        check("Qwen3-Coder-30B-A3B-Instruct-GGUF", Some("qwen2.5-coder"));
        check("/models/qwen3-coder-next.gguf", Some("qwen2.5-coder"));
        check("bigcode/starcoder2-15b", Some("starcoder2"));
        check("starcoder:7b", Some("starcoder"));
        check("ibm-granite/granite-8b-code-base-4k", Some("starcoder"));
        check("granite-code:3b", Some("starcoder"));
        check("ibm-granite/granite-4.0-h-tiny-base", Some("granite-4"));
        check("granite4:micro", Some("granite-4"));
        check("stabilityai/stable-code-3b", Some("starcoder"));
        check("smallcloudai/Refact-1_6B-fim", Some("starcoder"));
        check("codellama:7b-code", Some("codellama"));
        check("meta-llama/CodeLlama-13b-hf", Some("codellama"));
        check("deepseek-ai/DeepSeek-Coder-V2-Lite-Base", Some("deepseek-coder"));
        check("deepseek-coder:6.7b-base", Some("deepseek-coder"));
        check("codestral-latest", Some("codestral"));
        check("mistralai/Codestral-22B-v0.1", Some("codestral"));
        check("codegemma:2b-code", Some("codegemma"));
        check("JetBrains/Mellum-4b-base", Some("mellum"));
        check("JetBrains/Mellum2-12B-A2.5B-Base", Some("mellum2"));
        check("ByteDance-Seed/Seed-Coder-8B-Base", Some("seed-coder"));
        check("GLM-4.5-Air", Some("glm-4"));
        check("aiXcoder/aixcoder-7b-base", Some("aixcoder"));
        check("codegeex4-all-9b", Some("codegeex4"));
    }

    #[test]
    fn a_model_that_cannot_fill_a_hole_or_is_not_known_has_no_format() {
        check("gpt-4.1", None);
        check("llama3.2:3b", None);
        check("qwen2.5:7b", None);
        check("my-refactoring-model", None);
        check("codellama:34b-code", None);
        check("CodeLlama-7b-Python-hf", None);
        check("codestral-mamba-latest", None);
        check("deepseek-coder-v2:236b", None);
        check("JetBrains/Mellum2.1-12B-Thinking", None);
        check("", None);
        check("***", None);
    }

    #[test]
    fn the_window_follows_the_model() {
        let qwen = Format::named("qwen2.5-coder").unwrap();
        assert_eq!(qwen.window_of("Qwen3-Coder-30B-A3B"), 262_144);
        assert_eq!(qwen.window_of("Qwen2.5-Coder-3B"), 32_768);
        assert_eq!(qwen.window_of("something else"), qwen.window);
    }
}
