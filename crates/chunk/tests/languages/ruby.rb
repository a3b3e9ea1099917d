# frozen_string_literal: true

require 'json'
# <- import json
# ~ call require
require_relative 'lib/util'
# <- import ./lib/util
# ~ call require_relative
load "tasks.rb"
# <- import tasks.rb
# ~ call load

# Shapes.
module Geo # (on the earth)
#      ^ definition.module (doc, body)
#      ^ signature module Geo # (on the earth)
  # Its coordinates are those
  # of the year 1984.

  LIMIT = 10
  # <- definition.constant in Geo

  # A shape.
  class Shape < Base::Thing
  #     ^ definition.class in Geo (doc, body)
  # ~ base Thing
    include Comparable
    # ~ call include, base Comparable
    attr_reader :size, :name
    #            ^ definition.field in Geo.Shape
    #                   ^ definition.field in Geo.Shape
    # ~ call attr_reader

    # Makes one.
    def initialize(size)
    #   ^ definition.constructor in Geo.Shape (doc, body)
      @size = size
      local = helper(size)
      # ~ call helper
      super()
    end

    def self.create(*args)
    #        ^ definition.method in Geo.Shape (body)
      new(*args)
      # ~ call new
    end

    class << self
      def build; end
      #   ^ definition.method in Geo.Shape
    end

    def area?
    #   ^ definition.method in Geo.Shape (body)
      parts.each { |part| part.area }
      # ~ call each, call area
      Other::Thing.new.run!
      # ~ type Thing, call new, call run!
    end

    private

    def secret = compute(1)
    #   ^ definition.method in Geo.Shape (body)
    # ~ call compute
  end

  module_function

  def helper(x)
  #   ^ definition.function in Geo (body)
    puts x
    # ~ call puts
  end
end

def top_level
#   ^ definition.function
end

class Geo::Circle
#          ^ definition.class of Geo
end

class Lib::Store
#          ^ definition.class of Lib (body)
  def self.open(path)
  #        ^ definition.method in Store
  end
end
def Lib.close(store)
#       ^ definition.method of Lib
end
module A::B
#         ^ definition.module of A
end
