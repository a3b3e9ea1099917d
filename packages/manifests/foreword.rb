# Homebrew: a formula for a tap. packages/manifests/fill writes the version and the checksums.
class Foreword < Formula
  desc "Repository context for code models, in milliseconds, offline"
  homepage "https://github.com/foreword-dev/foreword"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  base = "https://github.com/foreword-dev/foreword/releases/download/v#{version}/foreword-#{version}"
  on_macos do
    on_arm do
      url "#{base}-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "#{base}-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "#{base}-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "#{base}-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "foreword"
    generate_completions_from_executable(bin/"foreword", "completions")
    (man1/"foreword.1").write Utils.safe_popen_read(bin/"foreword", "man")
  end

  test do
    (testpath/"store.py").write "def save_session(user):\n    return user\n"
    assert_match "store.py", shell_output("#{bin}/foreword search save_session")
  end
end
