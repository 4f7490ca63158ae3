import { button, waitForText, type Screen } from '../screen.ts'

/** The pages Support and About. */
export const supportScreens: Screen[] = [
  {
    name: 'Support with all its complaints',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/support#awake')
      await page.getByRole('textbox', { name: 'Email', exact: true }).fill('marjolein@fotohuis')
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('a'.repeat(5_001))
      await button(page, 'Send message').click()
      await waitForText(page, 'Please enter your name')
    },
  },
  {
    name: 'Support, not sent',
    viewer: 'owner',
    inRecordOnly: true,
    async reach(page) {
      await page.route(/\/support(\?|$)/, (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      )
      await page.goto('/support')
      await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('The screen in hall 4')
      await page.getByRole('textbox', { name: 'Message', exact: true }).fill('It is dark.')
      await button(page, 'Send message').click()
      await waitForText(page, 'Your text is still here.')
    },
  },
  {
    name: 'Support without JavaScript, refused',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/support')
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('A very long name of somebody'.repeat(3))
      await page.locator('form').evaluate((form: HTMLFormElement) => form.submit())
      // An earlier screen may have left other fields filled in.
      await waitForText(page, 'Your message was not sent.')
    },
  },
  {
    name: 'About',
    inRecordOnly: true,
    viewer: 'nobody',
    async reach(page) {
      await page.goto('/about')
      await waitForText(page, 'Sample Operator')
    },
  },
]
