import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../lib/api-errors.ts'
import type { Catalogue } from '../messages/en.ts'
import { CurrentPasswordField } from './PasswordFields.tsx'

/** The server did not accept the password. */
class PasswordRefused extends Error {
  override readonly name = 'PasswordRefused'
}

const asksForPassword = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'confirm_password' || error.code === 'password_required')

type Texts = Catalogue['security']['confirmation'] | Catalogue['operator']['confirmation']

/** The field for the password, and the calls that need it. */
export interface PasswordConfirmation {
  /** The field, once the server has asked for the password. It receives the focus when it appears, and when what was typed is not accepted. */
  field: ReactNode
  /** Whether the field is empty although it is needed; it then says so. To be asked before `run`. */
  isMissing(): boolean
  /** Makes a call that the server may refuse until the password was given; gives it first once the server has asked for it. */
  run<Result>(act: () => Promise<Result>): Promise<Result>
  /** An error of `run` that the field does not show. */
  problemOf(error: Error | null): Error | null
}

/** Asks for the password of the account, in a form whose call the server refuses without it. `confirm` sends it. */
export function usePasswordConfirmation(
  text: Texts,
  confirm: (password: string) => Promise<unknown>,
): PasswordConfirmation {
  const box = useRef<HTMLDivElement>(null)
  const [isNeeded, setIsNeeded] = useState(false)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const showProblem = (sentence: string): void => {
    setProblem(sentence)
    box.current?.querySelector('input')?.focus()
  }
  useEffect(() => {
    if (isNeeded) box.current?.querySelector('input')?.focus()
  }, [isNeeded])
  return {
    field: isNeeded && (
      <div ref={box} className="confirm-password">
        <CurrentPasswordField
          label={text.password}
          name="password"
          value={password}
          error={problem}
          onChange={(value) => {
            setPassword(value)
            setProblem(undefined)
          }}
        />
        <p className="tiny muted">{text.passwordHint}</p>
      </div>
    ),
    isMissing() {
      const isMissing = isNeeded && password === ''
      if (isMissing) showProblem(text.passwordNeeded)
      return isMissing
    },
    async run(act) {
      if (isNeeded) {
        await confirm(password).catch((cause: unknown) => {
          showProblem(errorMessage(cause, text.passwordFailed))
          throw new PasswordRefused('', { cause })
        })
        setProblem(undefined)
        setPassword('')
        setIsNeeded(false)
      }
      try {
        return await act()
      } catch (error) {
        if (asksForPassword(error)) setIsNeeded(true)
        throw error
      }
    },
    problemOf: (error) => (error instanceof PasswordRefused || asksForPassword(error) ? null : error),
  }
}
