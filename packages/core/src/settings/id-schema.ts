import { idRule, isIdText } from '@calends/model';
import * as z from 'zod';

/** An id in settings: what the wire would refuse could be asked for by nobody. */
export const idSchema = (maxLength: number) =>
  z.string().refine((id) => isIdText(id, maxLength), { error: idRule(maxLength) });
