# The formula of a release for Homebrew. Scripts/release fills in what stands between @.
class Flow < Formula
  desc "Runs, records and replays YAML scenarios"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    depends_on arch: :arm64
    depends_on macos: :sequoia
    url "@ADDRESS@/flow-@VERSION@-macos-aarch64.tar.gz"
    sha256 "@MACOS_AARCH64@"
  end

  on_linux do
    on_arm do
      url "@ADDRESS@/flow-@VERSION@-linux-aarch64.tar.gz"
      sha256 "@LINUX_AARCH64@"
    end
    on_intel do
      url "@ADDRESS@/flow-@VERSION@-linux-x86_64.tar.gz"
      sha256 "@LINUX_X86_64@"
    end
  end

  def install
    bin.install "bin/flow"
    # The libraries that the program of macOS brings along.
    (lib/"flow").install Dir["lib/flow/*"] if OS.mac?
    man1.install "share/man/man1/flow.1"
    bash_completion.install "share/bash-completion/completions/flow"
    zsh_completion.install "share/zsh/site-functions/_flow"
    fish_completion.install "share/fish/vendor_completions.d/flow.fish"
    doc.install Dir["share/doc/flow/*"]
  end

  test do
    assert_equal "flow #{version}\n", shell_output("#{bin}/flow --version")
    system bin/"flow", "init", "shop"
    cd("shop") { system bin/"flow", "test" }
  end
end
