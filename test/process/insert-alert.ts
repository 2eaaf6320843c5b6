import { dataPaths } from '../../src/config/data-paths.ts';
import { openDatabase } from '../../src/history/history.ts';
import { alertsTable } from '../../src/history/tables/surveillance.ts';

/** Writes an alert of surveillance about the account 0 to the history of a running exchange. @returns Its id */
export async function insertAlert(dataDirectory: string, index: number): Promise<string> {
  const place = { sequence: 1, index: 0, time: 0 };
  const id = `pump-1-0-0-${index}`;
  const alert = {
    ...{ id, detector: 'pump' as const, market: 0, owners: [0], from: place, to: place },
    ...{ figures: { risePercent: 12 }, foundIn: 1, foundIndex: index },
  };
  const database = openDatabase(`sqlite://${dataPaths(dataDirectory).history}`);
  await database.transaction((statements) => statements.insert(alertsTable, [alert]));
  await database.close();
  return id;
}
