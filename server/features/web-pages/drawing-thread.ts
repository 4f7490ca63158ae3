import { parentPort, workerData } from 'node:worker_threads'
import { drawPreview, type PreviewContent } from './preview-drawing.ts'

// A thread of its own for each drawing: reading the font takes a quarter of a second, in which the server answers others.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node, not a window
parentPort?.postMessage(drawPreview(workerData as PreviewContent)) // what page-previews.ts passes
