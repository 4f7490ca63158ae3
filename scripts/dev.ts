/** The server with reload and the web app with hot reload, together: npm run dev. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './source-files.ts'

const port = process.env['PORT'] ?? '3000'
// Watched below, so it must exist; the server restarts whenever the guest pages have been built.
mkdirSync(join(root, 'web/dist-guest'), { recursive: true })
const watchArgs = (...folders: string[]): string[] => [
  ...folders.flatMap((folder) => ['--watch-path', join(root, folder)]),
  '--watch-preserve-output',
]
const server = [...watchArgs('server', 'contract', 'web/dist-guest'), join(root, 'server/main.ts'), 'serve']
const vitePath = join(root, 'node_modules/vite/bin/vite.js')
const web = [vitePath, '--config', join(root, 'web/vite.config.ts')]
// The script of the guest pages is bundled when the configuration is loaded, so a change of it starts the build again.
const guest = [
  ...watchArgs('web/guest/script', 'contract'),
  vitePath,
  'build',
  '--watch',
  '--config',
  join(root, 'web/vite.guest.config.ts'),
  '--emptyOutDir',
  'false',
]

const vite = 'http://localhost:5173,http://127.0.0.1:5173'
const configured = process.env['ALLOWED_ORIGINS']
const settings = {
  ...process.env,
  ALLOWED_ORIGINS: configured ? `${configured},${vite}` : vite,
  KEEPSNAP_SERVER: `http://127.0.0.1:${port}`,
}

/** What a visitor gets before the app has started; the server reads it once, so a change of it shows after a restart. */
const pages = [
  vitePath,
  'build',
  '--watch',
  '--config',
  join(root, 'web/vite.prerender.config.ts'),
  '--emptyOutDir',
  'false',
]

const children: ChildProcess[] = [server, web, guest, pages].map((args) =>
  spawn(process.execPath, args, { cwd: root, env: settings, stdio: ['ignore', 'inherit', 'inherit'] }),
)

/** When one process exits, the others are stopped; SIGTERM lets the server shut down gracefully. */
function stop(): void {
  for (const child of children) child.kill('SIGTERM')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
for (const child of children) child.on('exit', stop)
process.stdout.write('The web app with hot reload: http://127.0.0.1:5173\n')
