import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const output = fileURLToPath(new URL('../dist/web', import.meta.url));

export default defineConfig({
  base: '/app/',
  plugins: [react(), compressed()],
  build: {
    outDir: output,
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // Nothing inline: the policy of the page allows only files of this server.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    // On a busy machine a build is slow: that is no news.
    rolldownOptions: { checks: { bundlerTimings: false, pluginTimings: false } },
  },
  server: { port: 9399, proxy: { '/api': 'http://127.0.0.1:8080' } },
});

/** Beside each file its brotli and gzip form, so that the server never compresses. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    closeBundle() {
      for (const entry of readdirSync(output, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        const bytes = readFileSync(path);
        const quality = { [zlib.BROTLI_PARAM_QUALITY]: 10, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
        writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
        writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
