//! Protocols of model servers.

/// A protocol for completions; a server may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// llama.cpp's `/completion` with a rendered prompt.
    LlamaCpp,
    /// llama.cpp's `/infill`: the server renders, without repository and file names.
    LlamaCppInfill,
    /// Ollama's `/api/generate` with a rendered prompt (`raw`).
    Ollama,
    /// Ollama's `/api/generate` with a suffix, rendered by the model's template.
    OllamaSuffix,
    /// `/v1/completions` with a rendered prompt: vLLM, llama.cpp, LM Studio and many more.
    OpenAi,
    /// `/v1/completions` with a suffix; some servers silently ignore it, which is detected.
    OpenAiSuffix,
    /// Mistral's `/v1/fim/completions`.
    Mistral,
    /// DeepSeek's `/beta/completions`.
    DeepSeek,
    /// `/v1/chat/completions`: a chat model is instructed to fill the hole.
    Chat,
}

impl Api {
    /// All protocols.
    pub const ALL: [Self; 9] = [
        Self::LlamaCpp,
        Self::LlamaCppInfill,
        Self::Ollama,
        Self::OllamaSuffix,
        Self::OpenAi,
        Self::OpenAiSuffix,
        Self::Mistral,
        Self::DeepSeek,
        Self::Chat,
    ];

    /// Name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::LlamaCpp => "llama.cpp",
            Self::LlamaCppInfill => "llama.cpp-infill",
            Self::Ollama => "ollama",
            Self::OllamaSuffix => "ollama-suffix",
            Self::OpenAi => "openai",
            Self::OpenAiSuffix => "openai-suffix",
            Self::Mistral => "mistral",
            Self::DeepSeek => "deepseek",
            Self::Chat => "chat",
        }
    }

    /// Whether the server is llama.cpp.
    pub fn is_llama_cpp(self) -> bool {
        matches!(self, Self::LlamaCpp | Self::LlamaCppInfill)
    }

    /// Whether the server is Ollama.
    pub fn is_ollama(self) -> bool {
        matches!(self, Self::Ollama | Self::OllamaSuffix)
    }

    /// The protocol with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether requests have a prompt in the model family's format, which must be known.
    pub fn renders(self) -> bool {
        matches!(self, Self::LlamaCpp | Self::Ollama | Self::OpenAi)
    }

    /// Path of requests below the server's address.
    pub fn path(self) -> &'static str {
        match self {
            Self::LlamaCpp => "/completion",
            Self::LlamaCppInfill => "/infill",
            Self::Ollama | Self::OllamaSuffix => "/api/generate",
            Self::OpenAi | Self::OpenAiSuffix => "/v1/completions",
            Self::Mistral => "/v1/fim/completions",
            Self::DeepSeek => "/beta/completions",
            Self::Chat => "/v1/chat/completions",
        }
    }
}
