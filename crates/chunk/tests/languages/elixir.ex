defmodule Geo.Shape do
#         ^ definition.module (body)
  @moduledoc "Shapes."

  use GenServer
  # <- import GenServer
  # ~ type GenServer
  import Enum, only: [map: 2]
  # <- import Enum
  # ~ type Enum
  require Logger
  # <- import Logger
  # ~ type Logger
  alias Geo.{Point, Line}
  # <- import Geo (Point, Line)
  # ~ type Geo, type Point, type Line
  alias Geo.Config, as: Conf
  # <- import Geo.Config as Conf
  # ~ type Geo.Config, type Conf

  @limit 10
  #^ definition.constant in Geo.Shape
  @type t :: %__MODULE__{size: integer}
  #     ^ definition.type in Geo.Shape
  #     ^ begins @type t

  defstruct [:size, name: "x"]

  @doc "Makes one."
  @spec new(integer) :: t
  # ~ call new
  def new(size) when size > 0 do
  #   ^ definition.function in Geo.Shape (doc, body)
  #   ^ doc @doc "Makes one."
  #   ^ begins @spec new
    local = helper(size)
    # ~ call helper
    %Point{x: local}
    # ~ type Point
  end

  # Short.
  def area(%{size: size}), do: Conf.compute(size)
  #   ^ definition.function in Geo.Shape (doc)
  # ~ type Conf, call compute

  defp helper(x), do: x |> Logger.info()
  #    ^ definition.function in Geo.Shape
  # ~ type Logger, call info

  defmacro unless_zero(x, do: block) do
  #        ^ definition.macro in Geo.Shape (body)
    quote do: unquote(block)
  end

  defmodule Nested do
  #         ^ definition.module in Geo.Shape (body)
    def deep, do: :ok
    #   ^ definition.function in Geo.Shape.Nested
  end
end

defprotocol Drawable do
#           ^ definition.interface (body)
  def draw(shape)
  #   ^ definition.method in Drawable
end

defimpl Drawable, for: Geo.Shape do
#       ^ definition.implementation (body)
# ~ type Drawable, type Geo.Shape
  def draw(shape), do: shape
  #   ^ definition.method in Drawable
end
