import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Builder, By, Capabilities, Key, until, type WebDriver } from 'selenium-webdriver'
import { freePort } from '@keepsnap/server/test/free-ports.ts'
import { elementTimeoutMs, type Engine, type EnginePage } from './engine.ts'

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'

/** Starts the browser of WebKitGTK on a virtual screen, driven over WebDriver: the engine that is nearest to an iPhone's. */
export async function startWebKit(): Promise<Engine> {
  const { display, screen } = await startScreen()
  const port = await freePort()
  const service = spawn('/usr/bin/WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: { ...process.env, DISPLAY: display },
    stdio: 'ignore',
  })
  const driver = await connect(port)
  await driver.manage().window().setRect({ width: 1280, height: 860, x: 0, y: 0 })
  return {
    name: 'WebKitGTK',
    version: String((await driver.getCapabilities()).get('browserVersion')),
    page: toEnginePage(driver),
    async close() {
      await driver.quit().finally(() => end(service))
      await end(screen)
    },
  }
}

/** Xvfb with the first display number that is free, which it prints to file descriptor 3. */
async function startScreen(): Promise<{ display: string; screen: ChildProcess }> {
  const screen = spawn('/usr/bin/Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const output = screen.stdio[3]
  if (!output || !('read' in output)) throw new Error('Xvfb has no output for its display number')
  const [number] = (await once(createInterface({ input: output }), 'line')) as [string] // a line of text
  return { display: `:${number}`, screen }
}

async function connect(port: number): Promise<WebDriver> {
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
  })
  const build = () =>
    new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(capabilities)
      .build()
      .catch(() => undefined)
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const isListening = await fetch(`http://127.0.0.1:${port}/status`).then(
      () => true,
      () => false,
    )
    const driver = isListening ? await build() : undefined
    if (driver) return driver
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('WebKitWebDriver did not start a browser')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function toEnginePage(driver: WebDriver): EnginePage {
  const find = (xpath: string) => driver.wait(until.elementLocated(By.xpath(xpath)), elementTimeoutMs)
  const findVisible = async (xpath: string) => driver.wait(until.elementIsVisible(await find(xpath)), elementTimeoutMs)
  return {
    goto: (url) => driver.get(url),
    click: async (xpath) => (await findVisible(xpath)).click(),
    type: async (xpath, text) => (await findVisible(xpath)).sendKeys(text),
    press: async () => driver.actions().sendKeys(Key.ESCAPE).perform(),
    chooseFile: async (xpath, path) => (await find(xpath)).sendKeys(path),
    evaluate: (expression) =>
      driver.executeAsyncScript(
        `const done = arguments[0]; Promise.resolve(${expression}).then(done, (error) => done(String(error)))`,
      ),
    screenshot: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
  }
}
