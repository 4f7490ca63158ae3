import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../server/test/child-processes.ts'
import { waitLimitMs } from '../program.ts'

/** Commands of W3C WebDriver, with the HTTP request of each. */
const commands = {
  NewSession: 'POST ',
  DeleteSession: 'DELETE ',
  SetWindowRect: 'POST /window/rect',
  Navigate: 'POST /url',
  FindElement: 'POST /element',
  ElementClick: 'POST /element/:id/click',
  ElementSendKeys: 'POST /element/:id/value',
  PerformActions: 'POST /actions',
  ExecuteAsyncScript: 'POST /execute/async',
  TakeScreenshot: 'GET /screenshot',
}
/** Sends a command and resolves with its value. */
type Send = (name: keyof typeof commands, parameters?: { id?: string; [name: string]: unknown }) => Promise<unknown>

async function retried<T>(attempt: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + waitLimitMs; ; await delay(200)) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await once(child, 'exit')
}

/** A browser, driven by the protocol that its makers support. Elements are found by XPath. */
export type Engine = Awaited<ReturnType<typeof startEngine>>

async function startEngine(name: string, send: Send, capabilities: object, stop: () => Promise<void>) {
  const session = await retried(() => send('NewSession', { capabilities: { alwaysMatch: capabilities } }))
  const { browserVersion: version } = (session as { capabilities: { browserVersion: string } }).capabilities // as WebDriver says
  await send('SetWindowRect', { x: 0, y: 0, width: 1280, height: 860 })
  const find = async (xpath: string): Promise<string> => {
    const element = (await send('FindElement', { using: 'xpath', value: xpath })) as Record<string, string> // as WebDriver says
    return Object.values(element)[0] ?? ''
  }
  const type = async (xpath: string, text: string): Promise<void> =>
    retried(async () => void (await send('ElementSendKeys', { id: await find(xpath), text })))
  const escape = '\uE00C'
  return {
    name,
    version,
    goto: (url: string) => send('Navigate', { url }),
    /** Presses the element once it is there and nothing covers it. */
    click: (xpath: string) => retried(async () => void (await send('ElementClick', { id: await find(xpath) }))),
    type,
    /** Chooses a file in an `<input type=file>`, hidden or not. */
    chooseFile: type,
    async pressEscape(): Promise<void> {
      const actions = ['keyDown', 'keyUp'].map((each) => ({ type: each, value: escape }))
      await send('PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    /** The value of a JavaScript expression in the page; it must be JSON. */
    evaluate: (expression: string) =>
      send('ExecuteAsyncScript', {
        script: `const done = arguments[0]; Promise.resolve(${expression}).then(done, (error) => done(String(error)))`,
        args: [],
      }),
    screenshot: async () => Buffer.from(String(await send('TakeScreenshot', { full: false })), 'base64'),
    async close(): Promise<void> {
      await send('DeleteSession')
      await stop()
    },
  }
}

/** Firefox ESR of Debian, which takes the commands itself, over TCP (Marionette): each message after its length. */
export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'keepsnap-firefox-'))
  const port = await freePort()
  await writeFile(join(profile, 'user.js'), `user_pref("marionette.port", ${port});\n`)
  const options = ['--headless', '--marionette', '--no-remote', '--profile', profile]
  const child = spawn('/usr/bin/firefox-esr', options, { stdio: 'ignore' })
  const socket: Socket = await retried(async () => {
    const opening = connect(port, '127.0.0.1')
    await once(opening, 'connect')
    return opening
  })
  type Answer = [type: number, id: number, error: { message: string } | null, result: { value?: unknown }]
  const waiting = new Map<number, (answer: Answer) => void>()
  let received = Buffer.alloc(0)
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part])
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const length = colon + 1 + Number(received.subarray(0, colon))
      if (received.length < length) return
      const message: unknown = JSON.parse(received.subarray(colon + 1, length).toString())
      received = received.subarray(length)
      // The first message is a greeting.
      if (Array.isArray(message)) waiting.get((message as Answer)[1])?.(message as Answer) // as the protocol says
    }
  })
  const send: Send = async (name, parameters = {}) => {
    const id = waiting.size
    const text = JSON.stringify([0, id, `WebDriver:${name}`, parameters])
    const answering = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [, , error, result] = await answering
    if (error) throw new Error(`${name}: ${error.message}`)
    return 'value' in result ? result.value : result
  }
  return startEngine('Firefox', send, {}, async () => {
    socket.destroy()
    await end(child)
    await rm(profile, { recursive: true, force: true })
  })
}

/** The browser of WebKitGTK on a virtual screen: the engine that is nearest to an iPhone's. Its driver takes requests. */
export async function startWebKit(): Promise<Engine> {
  // Xvfb prints the first display number that is free to file descriptor 3.
  const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const output = screen.stdio[3]
  if (!output || !('read' in output)) throw new Error('Xvfb has no output for its display number')
  const [number] = (await once(createInterface({ input: output }), 'line')) as [string] // a line of text
  const port = await freePort()
  const service = spawn('/usr/bin/WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: `:${number}` },
    stdio: 'ignore',
  })
  let session = ''
  const send: Send = async (name, { id = '', ...parameters } = {}) => {
    const [method = '', path = ''] = commands[name].split(' ')
    const answer = await fetch(`http://127.0.0.1:${port}/session${session}${path.replace(':id', id)}`, {
      method,
      ...(method === 'POST' && { body: JSON.stringify(parameters) }),
    })
    const { value } = (await answer.json()) as { value: { sessionId?: string } | null } // as WebDriver says
    if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(value)}`)
    if (name === 'NewSession') session = `/${value?.sessionId}`
    return value
  }
  const binary = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
  const capabilities = { 'webkitgtk:browserOptions': { binary, args: ['--automation'] } }
  return startEngine('WebKitGTK', send, capabilities, async () => {
    await end(service)
    await end(screen)
  })
}

/** The binaries of old Chromiums, each in a folder named after its version; without the setting they are left out. */
export const oldBrowsers = process.env['KEEPSNAP_OLD_BROWSERS']

interface ChromiumOptions {
  name: string
  binary: string
  /** What the browser says it is, such as one inside of an app. */
  userAgent?: string
}

/** A Chromium of any age, by its own debugging protocol: Playwright no longer speaks to those before 92. */
export async function startChromium({ name, binary, userAgent }: ChromiumOptions): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'keepsnap-chromium-'))
  const port = await freePort()
  const isOld = oldBrowsers !== undefined && binary.startsWith(oldBrowsers)
  const options = ['--no-sandbox', '--headless', '--disable-gpu', '--disable-dev-shm-usage', '--window-size=1280,860']
  const ofOld = isOld ? ['--single-process', '--no-zygote'] : []
  const child = spawn(
    binary,
    [...options, ...ofOld, `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, 'about:blank'],
    // As kiosks have it, which makes the browser list a language that is none.
    { env: { ...process.env, LANG: 'C' }, stdio: 'ignore' },
  )
  type Target = { type: string; webSocketDebuggerUrl: string }
  const [target] = await retried(async () => {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as Target[] // as the protocol says
    const found = targets.filter(({ type }) => type === 'page')
    if (!found[0]) throw new Error('no page yet')
    return found
  })
  const socket = new WebSocket(target!.webSocketDebuggerUrl)
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  type Answer = { id?: number; result?: unknown; error?: { message: string } }
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer // as the protocol says
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  const send = async (method: string, params: object = {}) => {
    const id = waiting.size + 1
    const answering = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { error, result } = await answering
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  type Evaluated = { result: { value: unknown; objectId?: string }; exceptionDetails?: unknown }
  const run = async (expression: string, returnByValue = true) => {
    const parameters = { expression, awaitPromise: true, returnByValue }
    const { result, exceptionDetails } = (await send('Runtime.evaluate', parameters)) as Evaluated // as the protocol says
    if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
    return result
  }
  const find = (xpath: string): string =>
    `document.evaluate(${JSON.stringify(xpath)}, document, null, 9, null).singleNodeValue`
  await send('Page.enable')
  if (userAgent) {
    await send('Network.enable')
    await send('Network.setUserAgentOverride', { userAgent })
  }
  const { product } = (await send('Browser.getVersion')) as { product: string } // as the protocol says
  return {
    name,
    version: product.replace(/.*\//, ''),
    async goto(url) {
      await send('Page.navigate', { url })
      await retried(async () => {
        const { value } = await run(`location.href !== 'about:blank' && document.readyState`)
        if (value !== 'complete') throw new Error('the page is still loading')
      })
    },
    async click(xpath) {
      const { x, y } = await retried(async () => {
        const { value } = await run(`(() => {
          const element = ${find(xpath)}
          element.scrollIntoView({ block: 'center' })
          const { left, top, width, height } = element.getBoundingClientRect()
          const x = left + width / 2, y = top + height / 2
          return element.contains(document.elementFromPoint(x, y)) ? { x, y } : null
        })()`)
        if (!value) throw new Error(`something covers ${xpath}`)
        return value as { x: number; y: number } // what the expression gives
      })
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
        await send('Input.dispatchMouseEvent', {
          type,
          x,
          y,
          button: 'left',
          clickCount: type === 'mouseMoved' ? 0 : 1,
        })
    },
    async type(xpath, text) {
      await retried(() => run(`${find(xpath)}.focus()`))
      for (const character of text) await send('Input.dispatchKeyEvent', { type: 'char', text: character })
    },
    async chooseFile(xpath, file) {
      await retried(async () => {
        const { objectId } = await run(find(xpath), false)
        await send('DOM.setFileInputFiles', { files: [file], objectId })
      })
    },
    async pressEscape() {
      for (const type of ['keyDown', 'keyUp'])
        await send('Input.dispatchKeyEvent', { type, key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 })
    },
    evaluate: async (expression) => (await run(expression)).value,
    screenshot: async () => Buffer.from(((await send('Page.captureScreenshot')) as { data: string }).data, 'base64'),
    async close() {
      socket.close()
      await end(child)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
