import { parentPort, workerData } from 'node:worker_threads'
import { drawPreview, type PreviewContent } from './preview-drawing.ts'

// One worker thread per drawing: reading the font takes a quarter of a second and would block the event loop.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node, not a window
parentPort?.postMessage(drawPreview(workerData as PreviewContent)) // what page-previews.ts passes
