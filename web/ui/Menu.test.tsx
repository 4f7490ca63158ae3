import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { Menu } from './Menu.tsx'

function open() {
  render(
    <>
      <Menu label="Account menu" icon="M">
        <a href="#profile">Profile</a>
        <p>Plain text</p>
        <button type="button">Sign out</button>
        <button type="button" data-keeps-menu-open>
          Switch
        </button>
        <button type="button" aria-disabled="true">
          Not now
        </button>
      </Menu>
      <button type="button">Elsewhere</button>
    </>,
  )
  return userEvent.setup()
}
const button = () => screen.getByRole('button', { name: 'Account menu' })
const isOpen = () => screen.queryByRole('link', { name: 'Profile' }) !== null

describe('a menu', () => {
  test('opens and closes with its button, which has aria-expanded', async () => {
    const person = open()
    expect(isOpen()).toBe(false)
    expect(button()).toHaveAttribute('aria-expanded', 'false')
    await person.click(button())
    expect(isOpen()).toBe(true)
    expect(button()).toHaveAttribute('aria-expanded', 'true')
    await person.click(button())
    expect(isOpen()).toBe(false)
  })

  test('closes on Escape and returns the focus to its button', async () => {
    const person = open()
    await person.click(button())
    await person.tab()
    expect(screen.getByRole('link', { name: 'Profile' })).toHaveFocus()
    await person.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
    expect(button()).toHaveFocus()
  })

  test.each([
    ['Profile', false],
    ['Sign out', false],
    ['Elsewhere', false],
    ['Plain text', true],
    ['Switch', true],
    ['Not now', true],
  ])('after a click on %s it is open: %s', async (name, expected) => {
    const person = open()
    await person.click(button())
    await person.click(screen.getByText(name))
    expect(isOpen()).toBe(expected)
  })

  test('has the focus on its button after a choice, not in the closed list', async () => {
    const person = open()
    await person.click(button())
    await person.tab()
    await person.tab()
    expect(screen.getByRole('button', { name: 'Sign out' })).toHaveFocus()
    await person.keyboard('{Enter}')
    expect(isOpen()).toBe(false)
    expect(button()).toHaveFocus()
  })

  test('closes when the focus leaves it', async () => {
    const person = open()
    await person.click(button())
    for (let stop = 0; stop < 4; stop += 1) await person.tab()
    expect(isOpen()).toBe(true)
    await person.tab()
    expect(screen.getByRole('button', { name: 'Elsewhere' })).toHaveFocus()
    expect(isOpen()).toBe(false)
  })
})
