// What the sample for Unity takes of the engine, so that it is compiled and run without one; and a main thread as
// Unity's, which runs what follows an await, until the sample has ended.

using System;
using System.Collections.Concurrent;
using System.Reflection;
using System.Threading;

namespace UnityEngine
{
    public class MonoBehaviour { }

    public static class Debug
    {
        public static void Log(object message) => Console.WriteLine(message);
    }

    public static class Mathf
    {
        public static float Sqrt(float value) => (float)Math.Sqrt(value);
    }

    /// Unity, too, takes places for the same that are a hair apart.
    public struct Vector3
    {
        public float x, y, z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static bool operator ==(Vector3 a, Vector3 b)
        {
            float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
            return x * x + y * y + z * z < 1e-10f;
        }

        public static bool operator !=(Vector3 a, Vector3 b) => !(a == b);
        public override bool Equals(object other) => other is Vector3 && this == (Vector3)other;
        public override int GetHashCode() => 0;
    }

    /// And turns.
    public struct Quaternion
    {
        public float x, y, z, w;

        public Quaternion(float x, float y, float z, float w)
        {
            this.x = x;
            this.y = y;
            this.z = z;
            this.w = w;
        }

        public static bool operator ==(Quaternion a, Quaternion b) =>
            a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w > 1 - 1e-6f;

        public static bool operator !=(Quaternion a, Quaternion b) => !(a == b);
        public override bool Equals(object other) => other is Quaternion && this == (Quaternion)other;
        public override int GetHashCode() => 0;
    }
}

/// Unity's main thread: an `async void Start` begins on it, and it throws what that throws.
class MainThread : SynchronizationContext
{
    readonly BlockingCollection<Action> work = new BlockingCollection<Action>();

    public override void Post(SendOrPostCallback callback, object state) => work.Add(() => callback(state));
    public override void OperationCompleted() => work.CompleteAdding();

    static void Main()
    {
        var thread = new MainThread();
        SetSynchronizationContext(thread);
        var sample = new Connect();
        var start = typeof(Connect).GetMethod("Start", BindingFlags.Instance | BindingFlags.NonPublic);
        start.Invoke(sample, null);
        foreach (var action in thread.work.GetConsumingEnumerable()) action();
    }
}
