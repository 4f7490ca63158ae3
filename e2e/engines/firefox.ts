import { launch, type Page } from 'puppeteer-core'
import { elementTimeoutMs, type Engine, type EnginePage } from './engine.ts'

/** Starts Firefox ESR of Debian, driven over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const browser = await launch({ browser: 'firefox', executablePath: '/usr/bin/firefox-esr', headless: true })
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 800 })
  return {
    name: 'Firefox',
    version: (await browser.version()).replace('firefox/', ''),
    page: toEnginePage(page),
    close: () => browser.close(),
  }
}

function toEnginePage(page: Page): EnginePage {
  const find = async (xpath: string, visible = true) => {
    const element = await page.waitForSelector(`::-p-xpath(${xpath})`, { visible, timeout: elementTimeoutMs })
    if (!element) throw new Error(`there is no ${xpath}`)
    return element
  }
  return {
    goto: async (url) => void (await page.goto(url)),
    click: async (xpath) => (await find(xpath)).click(),
    type: async (xpath, text) => (await find(xpath)).type(text),
    press: (key) => page.keyboard.press(key),
    async chooseFile(xpath, path) {
      const element = await find(xpath, false)
      await (await element.toElement('input')).uploadFile(path)
    },
    evaluate: (expression) => page.evaluate(expression),
    screenshot: async () => Buffer.from(await page.screenshot()),
  }
}
