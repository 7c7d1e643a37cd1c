import CairnCrowd

@main
enum Program {
    static func main() async { await CrowdTool.main() }
}
