require 'json'
require_relative "a"

# M.
module M
  class A < B
    attr_reader :x

    # New.
    def initialize(x = 1, *y, &z)
      @x = x unless x.nil?
    end

    def self.f
      <<~T
        text #{x}
      T
    end
  end
end
