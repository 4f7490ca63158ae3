import { commonPasswordMessage } from '@keepsnap/contract/common-passwords.ts'
import { passwordMessages } from '@keepsnap/contract/passwords.ts'

/** Signing in and registering. */
export const session = {
  email: 'Email',
  password: 'Password',
  printLine: 'Scan to keep this photo',
  login: {
    title: 'Sign In',
    heading: 'Welcome back',
    submit: 'Sign In',
    forgot: 'Forgot your password?',
    newHere: 'New here?',
    register: 'Register',
  },
  register: {
    title: 'Register',
    heading: 'Create your first code',
    lead: (photos: number) => `${photos} photos a month, free. No card needed.`,
    confirm: 'Confirm password',
    submit: 'Register',
    agree: ['By creating an account you agree to the ', ' and have read the ', '.'],
    haveAccount: 'Already have an account?',
    login: 'Sign In',
    emailNeeded: 'Please enter an email address, such as name@example.com.',
    mismatch: 'Passwords do not match',
  },
  rules: {
    length: 'At least 8 characters',
    upper: 'One uppercase letter',
    lower: 'One lowercase letter',
    number: 'One number',
    special: 'One special character',
  },
  ruleMet: 'met: ',
  ruleNotMet: 'not met: ',
  passwordMessages,
  strength: 'Strength:',
  commonPassword: commonPasswordMessage,
  strengthLabels: ['Very Weak', 'Weak', 'Medium', 'Strong', 'Very Strong'],
  errors: {
    network: 'Network error. Please check your internet connection.',
    invalid: 'Invalid email or password.',
    server: (status: number) => `Server error (${status}): Server error. Please try again later.`,
    loginFailed: (reason: string) => `Login failed: ${reason}`,
    unknown: 'An unknown error occurred.',
    registered: 'This email is already registered.',
    validation: (first: string) => `Validation error: ${first}`,
    checkInput: 'Please check your input',
    registerFailed: 'Registration failed. Please try again.',
  },
}
