import { emailProblemMessages } from '@keepsnap/contract/form-rules.ts'
import { billingLimits, withdrawalLimits } from '@keepsnap/contract/limits.ts'

const { withdrawalDays, refundDays } = billingLimits

/** The page on which a consumer withdraws from a contract, in the app and without JavaScript. Its buttons are named as article 11a of Directive 2011/83/EU has it. */
export const withdrawal = {
  title: 'Withdraw from contract',
  lead: `Within ${withdrawalDays} days of making a contract for a paid plan, you can withdraw from it without giving a reason. You get back what you paid for it. A change between monthly and yearly is a contract of its own.`,
  /** The contract of who is signed in. */
  own: {
    heading: 'Your contract',
    plan: 'Plan',
    made: 'Made on',
    invoice: 'Invoice',
    until: 'Withdraw until',
    date: (date: string) => date,
    /** As it stands in the withdrawal. */
    contract: (plan: string, date: string, invoice: string) => `${plan}, made on ${date}, invoice ${invoice}`,
    other: 'Withdraw from another contract',
    back: 'Withdraw from my current contract',
  },
  none: 'Your account has no paid contract now. If you mean another one, say which.',
  over: (date: string) => `The ${withdrawalDays} days for this contract were over on ${date}.`,
  moneyBack: (date: string) => `Until ${date} you can still ask for your money back in Settings, once per account.`,
  later: `After these days, the ${refundDays}-day money-back guarantee may still apply: once per account, in Settings.`,
  settings: 'Open Settings',
  offerFailed: 'Your contract couldn’t be loaded. You can withdraw all the same: say which contract you mean.',
  earlier: (when: string) => `You withdrew from a contract on ${when}.`,
  signedOut: 'Have an account?',
  signIn: 'Sign in',
  signInHint: 'to have this filled in. You can also withdraw without signing in.',
  fields: { name: 'Name', email: 'Email', contract: 'Which contract' },
  emailHint: 'The address of your account. The receipt goes there.',
  contractHint: 'The plan and when you chose it, or the number of the invoice.',
  problems: {
    name: { missing: 'Please enter your name', long: (most: string) => `Please use at most ${most} characters` },
    contract: {
      missing: 'Please say which contract: the plan and its date, or the number of an invoice',
      long: (most: string) => `Please use at most ${most} characters`,
    },
    email: emailProblemMessages,
  },
  /** Of the first step: the next one asks for the confirmation. */
  next: 'Withdraw from contract',
  confirm: {
    heading: 'Confirm your withdrawal',
    lead: 'Nothing has happened yet. With the button below you declare:',
    declaration: 'I withdraw from this contract.',
    own: (plan: string) =>
      `${plan} ends at once. You get back what you paid for this contract, within ${withdrawalLimits.decideDays} days and by the way you paid.`,
    email:
      'We email a receipt to this address. If it is the address of an account with a contract, the receipt leads to a page that ends the plan and pays the money back.',
    photos:
      'Your photos stay for now. If they take more than the Free plan holds, we email you before any are removed.',
    submit: 'Confirm withdrawal',
    sending: 'Withdrawing',
    back: 'Go back',
  },
  failed: 'Your withdrawal has not been made.',
  offline: 'You seem to be offline. Check your connection and try again.',
  tryAgain: 'Please try again.',
  stillHere: 'What you entered is still here.',
  orEmail: 'A withdrawal by email counts just the same. Write to',
  made: {
    heading: 'You have withdrawn',
    at: (when: string) => `Your withdrawal was made on ${when}.`,
    receipt: 'A receipt with what you declared, the date and the time is on its way to',
    ended: 'Your paid plan has ended.',
    onItsWay: 'Your money is on its way back.',
    refunded: (amount: string) => `We have paid back ${amount}; your bank can take some days to show it.`,
    nothing: 'There was nothing left to pay back.',
    demo: 'Demo: no money moves.',
    late: (date: string) =>
      `The ${withdrawalDays} days for this contract were over on ${date}, so your plan goes on. We keep your withdrawal and look at it.`,
    email:
      'The receipt says what follows. If a contract belongs to this address, press the button on the page that the receipt links to: it ends the plan and pays the money back. If you don’t, we do it.',
    spam: `No receipt within a few minutes? Look in your spam folder, and check the address.`,
    settings: 'Go to Settings',
    home: 'Go Home',
  },
}
