/** The server with reload and the web app with hot reload, together: npm run dev. */
import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source-files.ts'

// Watched below, so it must exist; the server restarts whenever the guest pages have been built.
mkdirSync(join(root, 'web/dist-guest'), { recursive: true })
const watch = (...folders: string[]): string[] => [
  ...folders.flatMap((folder) => ['--watch-path', join(root, folder)]),
  '--watch-preserve-output',
]
const vite = join(root, 'node_modules/vite/bin/vite.js')
const build = (config: string): string[] =>
  [vite, 'build', '--watch', '--config', join(root, 'web', config)].concat('--emptyOutDir', 'false')
const commands = [
  [...watch('server', 'contract', 'web/dist-guest'), join(root, 'server/main.ts'), 'serve'],
  [vite, '--config', join(root, 'web/vite.config.ts')],
  // The script of the guest pages is bundled when the configuration is loaded, so a change of it starts the build again.
  [...watch('web/guest/script', 'contract'), ...build('vite.guest.config.ts')],
  // What a visitor gets before the app has started; the server reads it once, so a change of it shows after a restart.
  build('vite.prerender.config.ts'),
]

const origins = ['http://localhost:5173', 'http://127.0.0.1:5173', process.env['ALLOWED_ORIGINS']]
const env = {
  ...process.env,
  ALLOWED_ORIGINS: origins.filter(Boolean).join(),
  KEEPSNAP_SERVER: `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`,
}
const children = commands.map((args) =>
  spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }),
)

/** When one process exits, the others are stopped; SIGTERM lets the server shut down gracefully. */
function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
for (const child of children) child.on('exit', stop)
process.stdout.write('The web app with hot reload: http://127.0.0.1:5173\n')
