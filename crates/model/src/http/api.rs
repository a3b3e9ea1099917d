//! The protocols of servers.

/// A protocol by which a server is asked; a server may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// llama.cpp's `/completion`, with our own prompt.
    LlamaCpp,
    /// llama.cpp's `/infill`: the server renders, and names neither repository nor file.
    LlamaCppInfill,
    /// Ollama's `/api/generate` with our own prompt (`raw`).
    Ollama,
    /// Ollama's `/api/generate` with a suffix, rendered by the model's template.
    OllamaSuffix,
    /// `/v1/completions` with our own prompt: vLLM, llama.cpp, LM Studio and many more.
    OpenAi,
    /// `/v1/completions` with a suffix; several servers ignore it without a word, which is noticed.
    OpenAiSuffix,
    /// Mistral's `/v1/fim/completions`.
    Mistral,
    /// DeepSeek's `/beta/completions`.
    DeepSeek,
    /// `/v1/chat/completions`: the model is told in words to fill a hole.
    Chat,
}

impl Api {
    /// All of them.
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

    /// The name in configuration.
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

    /// Whether the server is llama.cpp's.
    pub fn is_llama_cpp(self) -> bool {
        matches!(self, Self::LlamaCpp | Self::LlamaCppInfill)
    }

    /// Whether the server is Ollama.
    pub fn is_ollama(self) -> bool {
        matches!(self, Self::Ollama | Self::OllamaSuffix)
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// Whether the server is sent a prompt in the model family's own format, which must then be known.
    pub fn renders(self) -> bool {
        matches!(self, Self::LlamaCpp | Self::Ollama | Self::OpenAi)
    }

    /// Where requests go, below the server's address.
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
