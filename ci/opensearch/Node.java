import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.mapper.MapperExtrasPlugin;
import org.opensearch.index.reindex.ReindexPlugin;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * One node of OpenSearch in this process, without its launcher, which refuses root and wants a distribution.
 *
 * Usage: java -cp 'JARS/*' Node.java HOME SETTING=VALUE...     a value in brackets is a list
 */
public class Node extends org.opensearch.node.Node {
    private static final List<Class<? extends Plugin>> PLUGINS =
        List.of(Netty4Plugin.class, MapperExtrasPlugin.class, ReindexPlugin.class);

    private Node(Settings settings, Path home) {
        super(
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> "node"),
            PLUGINS,
            true);
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        Settings.Builder settings = Settings.builder().put("path.home", home.toString());
        for (int i = 1; i < args.length; i++) {
            String[] pair = args[i].split("=", 2);
            if (pair[1].startsWith("[")) {
                settings.putList(pair[0], pair[1].substring(1, pair[1].length() - 1).split(","));
            } else {
                settings.put(pair[0], pair[1]);
            }
        }
        new Node(settings.build(), home).start();
        Thread.currentThread().join();
    }
}
