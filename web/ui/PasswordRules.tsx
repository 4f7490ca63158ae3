import { brokenRules, passwordRules, passwordScore } from '@keepsnap/contract/passwords.ts'
import { Check } from 'lucide-react'
import { useCommonPassword } from '../lib/common-passwords.ts'
import { useText } from '../lib/i18n.tsx'
import { session } from '../messages/en/session.ts'

/** Strength meter and rules of a new password. The field refers to `id` as its description. */
export function PasswordRules({ password, id }: { password: string; id: string }) {
  const text = useText({ session })
  const brokenPasswordRules = brokenRules(password)
  const isCommon = useCommonPassword(password)
  // Nothing is said until it is known: a common password is never more than weak.
  const strengthScore =
    isCommon === undefined ? '' : isCommon ? Math.min(passwordScore(password), 1) : passwordScore(password)
  return (
    <>
      <div className="password-strength" data-score={password && strengthScore}>
        <span className="password-strength__bars" aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </span>
        <span className="small">
          {text.strength} <output>{password && strengthScore !== '' && text.strengthLabels[strengthScore]}</output>
        </span>
      </div>
      <output className="password-common small">
        {isCommon && brokenPasswordRules.length === 0 && text.commonPassword}
      </output>
      <ul className="password-rules" id={id}>
        {passwordRules.map((rule) => (
          <li key={rule} data-ok={!brokenPasswordRules.includes(rule)}>
            <Check className="icon" />
            <span className="visually-hidden">
              {brokenPasswordRules.includes(rule) ? text.ruleNotMet : text.ruleMet}
            </span>
            {text.rules[rule]}
          </li>
        ))}
      </ul>
    </>
  )
}
