/** What parking costs. */
package org.example.garage.tariff;
