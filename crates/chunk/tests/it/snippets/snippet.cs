using System;
using S = System.Text;

namespace N
{
    /// <summary>A.</summary>
    [Serializable]
    public class A : B, IC
    {
        public int X { get; set; } = 1;

        public async Task<int> F(string a)
        {
            return await G($"{a}");
        }
    }
}
