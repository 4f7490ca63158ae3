import { PasswordField } from './PasswordField.tsx'

interface Props {
  label: string
  name: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** Asks for the password of the account before a change that only its owner may make. */
export const CurrentPasswordField = ({ onChange, ...field }: Props) => (
  <PasswordField
    {...field}
    autoComplete="current-password"
    required
    onChange={({ target }) => onChange(target.value)}
  />
)
