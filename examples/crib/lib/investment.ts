import { accumulate, discountFlows, internalRate, paybackYears } from './cash-flow.ts'
import { round, sum } from './rounding.ts'

/** An investment as people state it: rates as fractions, money in one currency. */
export interface Investment {
  initialCost: number
  yearlyBenefit: number
  yearlyRunningCost: number
  benefitGrowth: number
  discountRate: number
  years: number
}

/** What an investment comes to. Null where a figure does not exist. */
export interface InvestmentReturn {
  netPresentValue: number
  returnPercent: number | null
  paybackYears: number | null
  discountedPaybackYears: number | null
  internalRatePercent: number | null
  totalBenefit: number
  totalCost: number
}

export interface InvestmentYear {
  year: number
  benefit: number
  cost: number
  net: number
  discounted: number
  cumulative: number
  cumulativeDiscounted: number
}

/** The whole calculation. Only what is handed out is rounded; every figure is computed from exact ones. */
export function evaluateInvestment(investment: Investment): {
  result: InvestmentReturn
  years: InvestmentYear[]
} {
  const benefits = yearlyBenefits(investment)
  const costs = benefits.map((_, year) =>
    year === 0 ? investment.initialCost : investment.yearlyRunningCost,
  )
  const flows = benefits.map((benefit, year) => benefit - (costs[year] ?? 0))
  const discounted = discountFlows(flows, investment.discountRate)
  const cumulative = accumulate(flows)
  const cumulativeDiscounted = accumulate(discounted)
  const years = benefits.map((benefit, year) => ({
    year,
    benefit: round(benefit),
    cost: round(costs[year] ?? 0),
    net: round(flows[year] ?? 0),
    discounted: round(discounted[year] ?? 0),
    cumulative: round(cumulative[year] ?? 0),
    cumulativeDiscounted: round(cumulativeDiscounted[year] ?? 0),
  }))
  const totals = { totalBenefit: sum(benefits), totalCost: sum(costs) }
  return { result: { ...returns(flows, discounted), ...returnOnCost(totals) }, years }
}

/** Nothing in year 0, then the first year's benefit, grown once a year. */
function yearlyBenefits({ years, yearlyBenefit, benefitGrowth }: Investment): number[] {
  return Array.from({ length: years + 1 }, (_, year) =>
    year === 0 ? 0 : yearlyBenefit * (1 + benefitGrowth) ** (year - 1),
  )
}

function returns(flows: readonly number[], discounted: readonly number[]) {
  const rate = internalRate(flows)
  return {
    netPresentValue: round(sum(discounted)),
    paybackYears: roundOrNull(paybackYears(flows)),
    discountedPaybackYears: roundOrNull(paybackYears(discounted)),
    internalRatePercent: roundOrNull(rate === null ? null : rate * 100),
  }
}

/** Gain over everything spent, running cost included: a cheap start with a dear operation looks like what it is. */
function returnOnCost({ totalBenefit, totalCost }: { totalBenefit: number; totalCost: number }) {
  const gain = totalBenefit - totalCost
  return {
    returnPercent: totalCost === 0 ? null : round((gain / totalCost) * 100),
    totalBenefit: round(totalBenefit),
    totalCost: round(totalCost),
  }
}

function roundOrNull(value: number | null): number | null {
  return value === null ? null : round(value)
}
