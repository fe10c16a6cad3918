/** The texts in English; their keys are those of every language. */
export const english: Readonly<
  Record<
    | 'entryTitle'
    | 'entryLead'
    | 'entryCode'
    | 'entryOpen'
    | 'appointment'
    | 'when'
    | 'yourTime'
    | 'inUtc'
    | 'duration'
    | 'state'
    | 'stateScheduled'
    | 'stateActivated'
    | 'stateOver'
    | 'join'
    | 'addToCalendar'
    | 'reschedule'
    | 'cancel'
    | 'leave'
    | 'back'
    | 'rescheduleTitle'
    | 'rescheduleLead'
    | 'presentTime'
    | 'date'
    | 'time'
    | 'timeIn'
    | 'rescheduleSave'
    | 'cancelTitle'
    | 'cancelLead'
    | 'cancelReason'
    | 'cancelReasonHint'
    | 'cancelConfirm'
    | 'cancelKeep'
    | 'cancelledTitle'
    | 'cancelledLead'
    | 'moved'
    | 'unmoved'
    | 'leftTitle'
    | 'leftLead'
    | 'problem'
    | 'staleTitle'
    | 'staleLead'
    | 'tooLateToCancel'
    | 'tooLateToReschedule'
    | 'rescheduledTooOften'
    | 'slotTaken'
    | 'notPossibleThen'
    | 'enterDateAndTime'
    | 'reasonTooLong'
    | 'underWay'
    | 'changedMeanwhile'
    | 'notPossibleNow'
    | 'unavailableTitle'
    | 'unavailableLead'
    | 'nothingHereTitle'
    | 'nothingHereLead',
    string
  >
> = {
  entryTitle: 'Your appointment',
  entryLead: 'Open the link in your message again, or enter the code that stands behind the # in that link.',
  entryCode: 'Code from your message',
  entryOpen: 'Open my appointment',
  appointment: 'Appointment',
  when: 'When',
  yourTime: 'Your local time',
  inUtc: 'In UTC',
  duration: 'Duration',
  state: 'Status',
  stateScheduled: 'Confirmed',
  stateActivated: 'Ready to join',
  stateOver: 'This appointment is over.',
  join: 'Join now',
  addToCalendar: 'Add to calendar',
  reschedule: 'Choose another time',
  cancel: 'Cancel appointment',
  leave: 'Sign out on this device',
  back: 'Back',
  rescheduleTitle: 'Choose another time',
  rescheduleLead: 'The duration stays the same.',
  presentTime: 'Booked for now',
  date: 'New date',
  time: 'New time',
  timeIn: 'Times are in the zone of the appointment:',
  rescheduleSave: 'Move appointment',
  cancelTitle: 'Cancel this appointment?',
  cancelLead: 'This cannot be undone. The link in your message ends with it.',
  cancelReason: 'Reason (optional)',
  cancelReasonHint: 'At most 1,000 characters. Your host will see it.',
  cancelConfirm: 'Yes, cancel it',
  cancelKeep: 'No, keep it',
  cancelledTitle: 'Your appointment is cancelled',
  cancelledLead: 'Nothing else is needed. You may close this page.',
  moved: 'Your appointment was moved.',
  unmoved: 'The appointment stays as it was.',
  leftTitle: 'You are signed out',
  leftLead: 'To come back, open the link in your message again.',
  problem: 'That did not work',
  staleTitle: 'This link is not valid any more',
  staleLead:
    'It has ended, was replaced by a newer one, or the appointment was cancelled. Please open the link in the latest message that you got.',
  tooLateToCancel: 'It is too late to cancel this appointment online. Please contact your host.',
  tooLateToReschedule: 'It is too late to move this appointment online. Please contact your host.',
  rescheduledTooOften: 'This appointment was moved as often as it may be. Please contact your host.',
  slotTaken: 'That time is taken. Please choose another one.',
  notPossibleThen: 'The appointment cannot take place then. Please choose another time in the future.',
  enterDateAndTime: 'Please enter a date and a time.',
  reasonTooLong: 'The reason is too long: at most 1,000 characters.',
  underWay: 'The appointment is under way and cannot be changed now.',
  changedMeanwhile: 'The appointment was changed meanwhile. Please look at its present time and try again.',
  notPossibleNow: 'The appointment cannot be changed any more.',
  unavailableTitle: 'Please try again in a moment',
  unavailableLead: 'The service does not answer right now. Nothing was changed.',
  nothingHereTitle: 'There is nothing here',
  nothingHereLead: 'Please open the link in your message.',
};
