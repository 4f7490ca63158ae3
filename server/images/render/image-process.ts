import { allowDecoders } from './libvips.ts'
import { render } from './render.ts'
import { serveRequests } from './request-loop.ts'
import { warmUp } from './warm-up.ts'

process.title = 'keepsnap-image'
// A terminal sends Ctrl-C to the whole process group, and a service manager may send SIGTERM to it, but photos in progress
// must be finished. This process ends when its parent kills it or closes its input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
allowDecoders()
await warmUp()
if (process.argv[2] === 'compile-only') process.exit()
serveRequests(render, { maxOwnBytes: Number(process.argv[2]) || null })
