/** What parking costs. */
package net.kerbside.garage.tariff;
