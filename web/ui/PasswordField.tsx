import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useText } from '../lib/i18n.tsx'
import { Button } from './Button.tsx'
import { Field } from './Field.tsx'
import { states } from '../messages/en/states.ts'

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof Field>, 'type' | 'inside'>) {
  const [passwordShown, setPasswordShown] = useState(false)
  const text = useText({ states })
  const showPasswordButton = (
    <Button
      tone="ghost"
      icon
      aria-label={passwordShown ? text.hidePassword : text.showPassword}
      onClick={() => setPasswordShown(!passwordShown)}
    >
      {passwordShown ? <EyeOff className="icon" /> : <Eye className="icon" />}
    </Button>
  )
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={passwordShown ? 'text' : 'password'}
      inside={showPasswordButton}
    />
  )
}
