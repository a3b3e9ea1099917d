defmodule A.B do
  @moduledoc """
  Docs.
  """
  use C
  alias D.E, as: F

  @doc "f"
  def f(x, y \\ 1) when x > 0 do
    x |> F.g(y) |> case do
      {:ok, v} -> v
      _ -> nil
    end
  end

  defp h, do: :ok
end
