// Runs the sample for Android, as a background thread of an app would.

fun main() {
    connectToCairn()
    // OkHttp's own threads live on for a minute.
    System.exit(0)
}
